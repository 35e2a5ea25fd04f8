ALTER TABLE "cash_entries" DROP CONSTRAINT "cash_entries_key";--> statement-breakpoint
ALTER TABLE "cash_entries" ADD CONSTRAINT "cash_entries_key" UNIQUE("driver_id","key","delivery");