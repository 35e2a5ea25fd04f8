-- Deletes the test order and returns the number of orders. Items and the outbox of the older system follow by foreign
-- keys, the rows of other features by triggers before the deletion, figures and totals by triggers after it. The triggers of
-- append-only.sql refuse every other order.
create or replace function delete_test_orders() returns integer language plpgsql as $$
declare
  ids constant text[] := array(select id from orders where is_test for update);
begin
  perform delete_ledger_of_orders(ids);
  delete from driver_runs where order_ids && ids and order_ids <@ ids;
  update driver_runs set order_ids = array(select id from unnest(order_ids) id where id <> all(ids)) where order_ids && ids;
  delete from order_keys where order_id = any(ids);
  delete from order_audit_history where order_id = any(ids);
  delete from orders where id = any(ids);
  return cardinality(ids);
end $$;
