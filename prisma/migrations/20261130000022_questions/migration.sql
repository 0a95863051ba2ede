-- AlterTable
ALTER TABLE "deferrals" ADD COLUMN     "question" TEXT;
