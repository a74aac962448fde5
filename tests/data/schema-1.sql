-- The schema that Snug 0.1 shipped, with rows as it wrote them. Never edit: migrations are tested on it.

CREATE TABLE conversations (
    id TEXT NOT NULL PRIMARY KEY,
    title_is_manual INTEGER NOT NULL DEFAULT 0,
    pinned INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    title TEXT NOT NULL
);

CREATE INDEX conversations_by_age ON conversations (pinned DESC, updated_at DESC)
    WHERE deleted_at IS NULL;

CREATE TABLE turns (
    id TEXT NOT NULL PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    role TEXT NOT NULL,
    state TEXT NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (conversation_id, position)
);

CREATE INDEX turns_interrupted ON turns (conversation_id) WHERE state = 'partial';

INSERT INTO conversations (id, title_is_manual, pinned, created_at, updated_at, deleted_at, title) VALUES
    ('6f1e0a4b5d2c4e7f8a9b0c1d2e3f4a5b', 0, 0, 1767225600000000, 1767225660000000, NULL, 'What is the capital of France?'),
    ('0c1d2e3f4a5b6f1e0a4b5d2c4e7f8a9b', 1, 1, 1767139200000000, 1767139260000000, NULL, '旅行计划'),
    ('4e7f8a9b0c1d2e3f4a5b6f1e0a4b5d2c', 0, 0, 1767052800000000, 1767052860000000, 1767312000000000, 'Deleted');

INSERT INTO turns (id, conversation_id, position, role, state, model, created_at, text) VALUES
    ('a0000000000000000000000000000001', '6f1e0a4b5d2c4e7f8a9b0c1d2e3f4a5b', 0, 'user', 'complete', '', 1767225600000000, 'What is the capital of France?'),
    ('a0000000000000000000000000000002', '6f1e0a4b5d2c4e7f8a9b0c1d2e3f4a5b', 1, 'assistant', 'partial', 'SmolLM2', 1767225660000000, 'The capital'),
    ('a0000000000000000000000000000003', '0c1d2e3f4a5b6f1e0a4b5d2c4e7f8a9b', 0, 'user', 'complete', '', 1767139200000000, '你好'),
    ('a0000000000000000000000000000004', '4e7f8a9b0c1d2e3f4a5b6f1e0a4b5d2c', 0, 'user', 'complete', '', 1767052800000000, 'Gone');

PRAGMA user_version = 1;
