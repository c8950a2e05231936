-- Prosody for development: everything on loopback and below one folder. Not for the open network.
run_as_root = true
prosody_user = "$user"
pidfile = "$folder/prosody.pid"
data_path = "$folder/prosody"
certificates = "$folder/certificates"
interfaces = { "127.0.0.1" }
c2s_ports = { $c2s_port }
component_interfaces = { "127.0.0.1" }
component_ports = { $component_port }
network_settings = { nagle = false }
authentication = "internal_plain"
c2s_require_encryption = true
modules_enabled = { "disco"; "roster"; "saslauth"; "tls"; "ping"; "presence"; "message"; "iq"; "offline" }
modules_disabled = { "s2s" }
log = { info = "$folder/prosody.log" }

VirtualHost "example.test"

-- What the gateway connects to: agents.example.test and every address in it are Interline's.
Component "agents.example.test"
  component_secret = "$secret"
