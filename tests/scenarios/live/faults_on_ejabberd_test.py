"""The same scenarios of loss as faults_test.py, on the other server and through the other library."""
import unittest

import faults_test


class FaultsOnEjabberd(faults_test.Faults):
    program, client = "ejabberd", "xmpp.js"


if __name__ == "__main__":
    unittest.main()
