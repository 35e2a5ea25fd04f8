CREATE TABLE "vendor_business" (
	"vendor_id" integer PRIMARY KEY NOT NULL,
	"bottles" boolean DEFAULT false NOT NULL,
	"area_days" boolean DEFAULT false NOT NULL,
	"capacity" boolean DEFAULT false NOT NULL,
	"standing_orders" boolean DEFAULT false NOT NULL,
	"accounts" boolean DEFAULT false NOT NULL,
	"means" text[] DEFAULT '{"cash"}' NOT NULL,
	"bottle_difference" text DEFAULT 'at-once' NOT NULL,
	"refund_choice" boolean DEFAULT false NOT NULL,
	"limits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vendor_business_means" CHECK (cardinality("vendor_business"."means") > 0)
);
--> statement-breakpoint
ALTER TABLE "vendor_business" ADD CONSTRAINT "vendor_business_vendor_id_vendors_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE cascade ON UPDATE no action;