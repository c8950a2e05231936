-- A database of schema 1 as it was first written; it is never changed.
-- Whatever schema comes later, such a database is read.
PRAGMA application_id = 1231975532;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  boot INTEGER NOT NULL,
  group_number INTEGER NOT NULL,
  now INTEGER NOT NULL,
  tasks INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES(1,7,1,1788000000000000000,2);
CREATE TABLE owners (
  number INTEGER PRIMARY KEY,
  principal TEXT NOT NULL UNIQUE,
  tasks INTEGER NOT NULL
) STRICT;
INSERT INTO owners VALUES(1,'xmpp:alice@example.test',2);
CREATE TABLE contexts (
  number INTEGER PRIMARY KEY,
  context TEXT NOT NULL,
  owner INTEGER NOT NULL,
  tasks INTEGER NOT NULL,
  UNIQUE (context, owner)
) STRICT;
INSERT INTO contexts VALUES(1,'c',1,1);
CREATE TABLE endpoints (
  name TEXT PRIMARY KEY,
  active TEXT NOT NULL,
  title TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO endpoints VALUES('radio','','','configuration');
INSERT INTO endpoints VALUES('weather','1','Title of weather 1','configuration');
CREATE TABLE versions (
  number INTEGER PRIMARY KEY,
  endpoint TEXT NOT NULL,
  version TEXT NOT NULL,
  hash BLOB NOT NULL,
  title TEXT NOT NULL,
  origin TEXT NOT NULL,
  UNIQUE (endpoint, version)
) STRICT;
INSERT INTO versions VALUES(1,'weather','1',X'6d7f0f7809ebe896bb5fdc3380e694e47490b1e9b5e53c15219d74f371c59342','Title of weather 1','configuration');
INSERT INTO versions VALUES(2,'weather','2',X'dea4bb1653be38c00f72f396eaae55a905d5dfe0754a4651ddbf2498959c5bce','Title of weather 2','configuration');
CREATE TABLE manifests (
  version INTEGER PRIMARY KEY,
  manifest TEXT NOT NULL,
  loss_report TEXT NOT NULL
) STRICT;
INSERT INTO manifests VALUES(1,'{"agent":"weather","version":"1"}','[]');
INSERT INTO manifests VALUES(2,'{"agent":"weather","version":"2"}','[]');
CREATE TABLE tombstones (
  endpoint TEXT NOT NULL,
  version TEXT NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (endpoint, version)
) STRICT, WITHOUT ROWID;
INSERT INTO tombstones VALUES('radio','1',X'fab737861c0aadd47cd62e88d02d8bfe0e301a8e8df3b18aec6dbee93afaeb40');
CREATE TABLE tasks (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL,
  context INTEGER NOT NULL,
  version INTEGER NOT NULL,
  state INTEGER NOT NULL,
  open INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  due INTEGER,
  retain_until INTEGER NOT NULL,
  dispatched_boot INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  outcome INTEGER
) STRICT;
INSERT INTO tasks VALUES(1,'task-0000000000000000000001',1,1,1,2,1,2,2,1788000000000000000,2114373600500000000,1788086400000000000,0,0,NULL);
INSERT INTO tasks VALUES(2,'task-0000000000000000000002',1,0,1,4,0,1,3,1788000000000000000,NULL,1788086400000000000,0,0,3);
CREATE TABLE admissions (
  task INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  network TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  request_key TEXT NOT NULL,
  metadata TEXT NOT NULL,
  created INTEGER NOT NULL,
  deadline TEXT,
  deadline_source INTEGER NOT NULL,
  retention INTEGER NOT NULL,
  answerable INTEGER NOT NULL,
  features INTEGER NOT NULL
) STRICT;
INSERT INTO admissions VALUES(1,'default','xmpp','forecast.get','{"city":"Riga"}','','',1788000000000000000,'2036-12-31T23:00:00.5+01:00',0,86400000000000,1,7);
INSERT INTO admissions VALUES(2,'default','xmpp','forecast.get','{"city":"Riga"}','','',1788000000000000000,NULL,0,86400000000000,1,7);
CREATE TABLE details (
  task INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
INSERT INTO details VALUES(1,X'01311e726571756573742d303030303030303030303030303030303030303030318080b0a6dba1a0d031010a7175657374696f6e2d610161000657686963683f117b2274797065223a22737472696e67227d000000000573746174650668616e646c6500');
CREATE TABLE log (
  task INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  revision INTEGER,
  type INTEGER NOT NULL,
  state INTEGER NOT NULL,
  time INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (task, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO log VALUES(1,1,1,0,1,1788000000000000000,'event-0000000000000000000001','{"state":"running","updatedAt":"2026-08-29T10:40:00.000Z"}');
INSERT INTO log VALUES(1,2,2,2,2,1788000000000000000,'event-0000000000000000000001','{"requestId":"request-0000000000000000000001","question":"Which?","inputSchema":{"type":"string"},"createdAt":"2026-08-29T10:40:00.000Z"}');
INSERT INTO log VALUES(2,1,NULL,7,0,1788000000000000000,'','{"artifact":"out","parts":[1],"append":false,"last":false}');
INSERT INTO log VALUES(2,2,NULL,7,0,1788000000000000000,'','{"artifact":"out","parts":[2],"append":true,"last":true}');
INSERT INTO log VALUES(2,3,1,3,4,1788000000000000000,'event-0000000000000000000001','{"result":{"content":[{"type":"text","text":"done"}]}}');
CREATE TABLE artifacts (
  task INTEGER NOT NULL,
  artifact TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  parts TEXT NOT NULL,
  PRIMARY KEY (task, artifact, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO artifacts VALUES(2,'out',1,0,'[1]');
INSERT INTO artifacts VALUES(2,'out',2,1,'[2]');
CREATE TABLE replays (
  number INTEGER PRIMARY KEY,
  claim BLOB NOT NULL UNIQUE,
  fingerprint BLOB NOT NULL,
  task TEXT NOT NULL,
  answer TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
INSERT INTO replays VALUES(1,X'5822dc516e7e866e17f683bbbf8afb380a28a02252aed5897d5e5bab85debe94',X'0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5','task-0000000000000000000001','answer of task-0000000000000000000001',1788086400000000000);
CREATE TABLE records (
  number INTEGER PRIMARY KEY,
  binding TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  owner TEXT NOT NULL,
  task INTEGER NOT NULL,
  expires INTEGER,
  bytes BLOB NOT NULL,
  UNIQUE (binding, kind, key)
) STRICT;
INSERT INTO records VALUES(1,'xmpp','route','own','xmpp:alice@example.test',1,1788172800000000000,X'6279746573');
CREATE TABLE tenants (
  tenant TEXT PRIMARY KEY,
  oldest INTEGER NOT NULL,
  newest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tenants VALUES('default',1,1);
CREATE TABLE audit (
  tenant TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  time INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO audit VALUES('default',1,1788000000000000000,'test','{}');
CREATE TABLE purged (
  task INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_by_owner ON tasks (owner, updated, id, state);
CREATE INDEX tasks_by_context ON tasks (context, updated, id, state) WHERE context <> 0;
CREATE INDEX tasks_by_version ON tasks (version);
CREATE INDEX tasks_open ON tasks (id) WHERE open = 1;
CREATE INDEX tasks_due ON tasks (due, id) WHERE open = 1;
CREATE INDEX tasks_retained ON tasks (retain_until) WHERE open = 0;
CREATE UNIQUE INDEX log_by_revision ON log (task, revision) WHERE revision IS NOT NULL;
CREATE INDEX replays_by_expiry ON replays (expires);
CREATE INDEX records_by_task ON records (task, binding, kind, key) WHERE task <> 0;
CREATE INDEX records_by_owner ON records (owner, binding, kind, key) WHERE owner <> '';
CREATE INDEX records_by_expiry ON records (expires) WHERE expires IS NOT NULL;
COMMIT;
