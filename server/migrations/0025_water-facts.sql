ALTER TABLE "products" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "source_ar" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "tds" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "sodium" numeric(5, 1);--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "ph" numeric(4, 2);--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "filled_on" date;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "filled_within_days" integer;