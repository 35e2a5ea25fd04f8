ALTER TABLE "legacy_outbox" ADD COLUMN "body" jsonb;--> statement-breakpoint
CREATE INDEX "orders_by_sync" ON "orders" USING btree ("sync_status","created_at" DESC NULLS LAST);
