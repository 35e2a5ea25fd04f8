DROP INDEX "cash_entries_collected_once";--> statement-breakpoint
ALTER TABLE "cash_entries" ADD COLUMN "delivery" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "cash_entries_collected_once" ON "cash_entries" USING btree ("order_id","delivery") WHERE "cash_entries"."kind" = 'collected';