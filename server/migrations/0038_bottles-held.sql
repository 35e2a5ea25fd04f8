DROP INDEX "bottle_balances_idle";--> statement-breakpoint
ALTER TABLE "bottle_balances" ADD COLUMN "held" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bottle_balances" ADD COLUMN "ordered_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "bottle_balances_held" ON "bottle_balances" USING btree ("vendor_id","held","ordered_at","count","deposit","customer_id");--> statement-breakpoint
UPDATE "bottle_balances" b SET "held" = h."held", "ordered_at" = (SELECT t."last_order_at" FROM "customer_totals" t WHERE t."user_id" = b."customer_id" AND t."vendor_id" = b."vendor_id")
FROM (SELECT "vendor_id", "customer_id", sum("count") AS "held" FROM "bottle_balances" GROUP BY 1, 2) h
WHERE h."vendor_id" = b."vendor_id" AND h."customer_id" = b."customer_id";
