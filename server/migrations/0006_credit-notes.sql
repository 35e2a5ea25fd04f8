CREATE TABLE "credit_notes" (
	"order_id" text NOT NULL,
	"vendor_id" integer NOT NULL,
	"number" integer NOT NULL,
	"invoice_number" integer NOT NULL,
	"bill" jsonb NOT NULL,
	"buyer" jsonb,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "credit_notes_vendor_id_number_pk" PRIMARY KEY("vendor_id","number"),
	CONSTRAINT "credit_notes_invoice" UNIQUE("vendor_id","invoice_number"),
	CONSTRAINT "credit_notes_number_positive" CHECK ("credit_notes"."number" > 0)
);
--> statement-breakpoint
ALTER TABLE "receipts" DROP CONSTRAINT "receipts_number";--> statement-breakpoint
ALTER TABLE "receipts" DROP CONSTRAINT "receipts_pkey";--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_vendor_id_number_pk" PRIMARY KEY("vendor_id","number");--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "bill" jsonb;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "buyer" jsonb;--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_of_invoice" FOREIGN KEY ("vendor_id","invoice_number") REFERENCES "public"."receipts"("vendor_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_notes_of_order" ON "credit_notes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "receipts_of_order" ON "receipts" USING btree ("order_id");