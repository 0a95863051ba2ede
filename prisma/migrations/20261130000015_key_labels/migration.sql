-- CreateTable
CREATE TABLE "key_labels" (
    "workspace_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,

    CONSTRAINT "key_labels_pkey" PRIMARY KEY ("workspace_id","person_id","key_id")
);
