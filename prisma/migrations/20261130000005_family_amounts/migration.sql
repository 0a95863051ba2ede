-- AlterTable
ALTER TABLE "family_permits" ADD COLUMN "amount" TEXT;
