-- AlterTable
ALTER TABLE "receipts" ADD COLUMN     "rules" TEXT[];
