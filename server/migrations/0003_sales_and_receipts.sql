CREATE TABLE "receipts" (
	"order_id" text PRIMARY KEY NOT NULL,
	"vendor_id" integer NOT NULL,
	"number" integer NOT NULL,
	"seller" jsonb NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "receipts_number" UNIQUE("vendor_id","number"),
	CONSTRAINT "receipts_number_positive" CHECK ("receipts"."number" > 0)
);
--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "list_price" bigint;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "price_reason" text;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_vendor_id_vendors_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_of_agent" ON "orders" USING btree ("placed_by","created_at" DESC NULLS FIRST) WHERE "orders"."placed_by" is not null;
--> statement-breakpoint
create trigger append_only before update or delete on receipts for each row execute function refuse_change();
