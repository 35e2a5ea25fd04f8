ALTER TABLE "credit_notes" ADD COLUMN "day" date;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "day" date;--> statement-breakpoint
CREATE INDEX "credit_notes_of_day" ON "credit_notes" USING btree ("vendor_id",coalesce("day", timezone('Asia/Bahrain', "issued_at")::date));--> statement-breakpoint
CREATE INDEX "receipts_of_day" ON "receipts" USING btree ("vendor_id",coalesce("day", timezone('Asia/Bahrain', "issued_at")::date));