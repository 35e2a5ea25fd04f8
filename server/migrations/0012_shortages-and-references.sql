ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_names_order";--> statement-breakpoint
CREATE INDEX "ledger_entries_differences" ON "ledger_entries" USING btree ("holder_id") WHERE "ledger_entries"."order_id" is null and "ledger_entries"."kind" in ('correction','written-off');--> statement-breakpoint
CREATE INDEX "ledger_entries_reference" ON "ledger_entries" USING btree ("vendor_id","reference") WHERE "ledger_entries"."reference" is not null;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind" CHECK (case "ledger_entries"."ledger" when 'money' then "ledger_entries"."kind" in ('collected','counted','handed-over','correction','written-off','payment')
        else "ledger_entries"."kind" in ('delivered','taken-back','corrected') end) NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_names_order" CHECK ("ledger_entries"."order_id" is not null or "ledger_entries"."kind" in ('counted','handed-over','correction','written-off')) NOT VALID;