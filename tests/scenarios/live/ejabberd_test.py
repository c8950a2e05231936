"""The gateway behind ejabberd, called through xmpp.js."""
import unittest

import core


class OnEjabberd(core.Core):
    program, client = "ejabberd", "xmpp.js"

    def test_a_caller_on_the_other_library(self):
        caller = self.caller("alice", "other", library="slixmpp")
        task = caller.call(self.agent("weather"), "forecast.get", {"city": "Riga"})["task-id"]
        self.assertEqual(caller.events_to_the_end(task)[-1].type, "completed")


if __name__ == "__main__":
    unittest.main()
