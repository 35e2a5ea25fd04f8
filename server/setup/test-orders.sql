-- Deletes the test order with every row that refers to it, and returns the number of orders. Items and the outbox of the
-- older system follow by foreign keys, figures and totals by triggers. The triggers of append-only.sql refuse every other
-- order.
create or replace function delete_test_orders() returns integer language plpgsql as $$
declare
  ids constant text[] := array(select id from orders where is_test for update);
begin
  -- A job that inserts notifications of the order waits here, and then no longer sees the order.
  lock table notifications in share row exclusive mode;
  delete from notifications where order_id = any(ids);
  delete from cash_entries where order_id = any(ids);
  delete from delivery_attempts where order_id = any(ids);
  delete from order_keys where order_id = any(ids);
  delete from order_audit_history where order_id = any(ids);
  delete from driver_runs where order_ids && ids and order_ids <@ ids;
  update driver_runs set order_ids = array(
      select o.id from unnest(order_ids) with ordinality as o (id, place) where o.id <> all(ids) order by o.place)
    where order_ids && ids;
  delete from orders where id = any(ids);
  return cardinality(ids);
end $$;
