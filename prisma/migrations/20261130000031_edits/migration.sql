-- AlterTable
ALTER TABLE "actions" ADD COLUMN     "superseded_by" TEXT;

-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "edit" TEXT;

-- Whoever waits for an action that was edited has to find the one that took its place.
ALTER TABLE "actions" ADD CONSTRAINT "actions_superseded" CHECK ("state" <> 'superseded' OR "superseded_by" IS NOT NULL);
