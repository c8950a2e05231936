"""The gateway behind Prosody, called through slixmpp."""
import unittest

import core


class OnProsody(core.Core):
    program, client = "prosody", "slixmpp"

    def test_a_caller_on_the_other_library(self):
        caller = self.caller("alice", "other", library="xmpp.js")
        task = caller.call(self.agent("weather"), "forecast.get", {"city": "Riga"})["task-id"]
        self.assertEqual(caller.events_to_the_end(task)[-1].type, "completed")


if __name__ == "__main__":
    unittest.main()
