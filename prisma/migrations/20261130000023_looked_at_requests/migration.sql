-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "looked_epoch" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "looked_head" TEXT NOT NULL DEFAULT '';
