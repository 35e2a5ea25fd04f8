DROP INDEX "order_items_product_id_index";--> statement-breakpoint
CREATE INDEX "order_items_of_product" ON "order_items" USING btree ("product_id","order_id");