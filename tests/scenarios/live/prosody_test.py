"""The gateway behind Prosody, called through slixmpp."""
import json
import subprocess
import unittest

import core
import servers
import world


class OnProsody(core.Core):
    program, client = "prosody", "slixmpp"

    def test_a_caller_on_the_other_library(self):
        caller = self.caller("alice", "other", library="xmpp.js")
        task = caller.call(self.agent("weather"), "forecast.get", {"city": "Riga"})["task-id"]
        self.assertEqual(caller.events_to_the_end(task)[-1].type, "completed")

    def test_the_tutorials_caller_leaves_nothing_pending(self):
        account = self.folder / "alice.json"
        address, port = self.server.address("c2s").split(":")
        account.write_text(json.dumps({
            "jid": f"alice@{self.server.host}/tutorial", "password": servers.password("alice"),
            "host": address, "port": int(port), "certificate": self.server.about["certificate"]}))
        ran = subprocess.run(
            ["/usr/bin/python3", "-B", str(servers.ROOT / "examples" / "xmpp" / "call.py"),
             "--account", str(account), "--list", world.DOMAIN],
            capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn(self.agent("weather"), ran.stdout)
        self.assertNotIn("Task was destroyed", ran.stderr)


if __name__ == "__main__":
    unittest.main()
