ALTER TABLE "order_items" ADD COLUMN "inventory_unit" text;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "inventory_unit_ar" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "pin_source" text;--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "pin_source" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_pin_source" CHECK ("orders"."pin_source" in ('gps','map','search','area')) NOT VALID;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_pin_source" CHECK ("addresses"."pin_source" in ('gps','map','search','area')) NOT VALID;