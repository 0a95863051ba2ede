-- CreateTable
CREATE TABLE "saved_views" (
    "workspace_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "filters" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("workspace_id","person_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_workspace_id_person_id_name_key" ON "saved_views"("workspace_id", "person_id", "name");

-- Permits that ran out unused, for the auditor's list of them. Partial, so that deciding and redeeming never touch it.
CREATE INDEX "actions_unused_permits" ON "actions"("workspace_id", "changed_at" DESC, "id" DESC) WHERE "state" = 'expired' AND "permit_id" IS NOT NULL;
