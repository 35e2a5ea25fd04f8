-- See orders/test-orders.sql.
create or replace function delete_notifications_of_test_order() returns trigger language plpgsql as $$
begin
  -- A job that inserts notifications of the order waits here, and then no longer sees the order.
  lock table notifications in share row exclusive mode;
  delete from notifications where order_id = old.id;
  return old;
end $$;

create or replace trigger delete_notifications_of_test_order before delete on orders
  for each row when (old.is_test) execute function delete_notifications_of_test_order();
