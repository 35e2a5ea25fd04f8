DROP INDEX "orders_by_status";--> statement-breakpoint
DROP INDEX "orders_not_paid";--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("status","created_at" DESC NULLS LAST) WHERE "orders"."status" <> 'delivered';--> statement-breakpoint
CREATE INDEX "orders_not_settled" ON "orders" USING btree (coalesce("payment_status", 'unpaid'),"created_at" DESC NULLS LAST) WHERE coalesce("orders"."payment_status", 'unpaid') <> 'paid';