-- See orders/test-orders.sql.
create or replace function delete_deliveries_of_test_order() returns trigger language plpgsql as $$
begin
  delete from delivery_attempts where order_id = old.id;
  return old;
end $$;

create or replace trigger delete_deliveries_of_test_order before delete on orders
  for each row when (old.is_test) execute function delete_deliveries_of_test_order();
