-- CreateTable
CREATE TABLE "policy_drafts" (
    "workspace_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "tests" TEXT NOT NULL,
    "base_revision" INTEGER,
    "base_digest" TEXT,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policy_drafts_pkey" PRIMARY KEY ("workspace_id","person_id")
);

-- CreateTable
CREATE TABLE "policy_signing_requests" (
    "workspace_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "signature" TEXT,
    "place" TEXT,
    "statement" TEXT,
    "restores" INTEGER,
    "reason" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "policy_signing_requests_pkey" PRIMARY KEY ("workspace_id","token_hash")
);
