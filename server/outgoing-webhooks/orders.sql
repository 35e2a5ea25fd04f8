-- A message for each endpoint that wants it, in the transaction of the change: the lock of the order gives the messages of
-- one order the order of its versions, which jobs do not have. At most one job waits for an endpoint; the sweep finds what
-- a job that starts at the same moment has missed.
create or replace function queue_webhooks() returns trigger language plpgsql as $$
declare
  v_type text := case
    when tg_op = 'INSERT' then 'order.placed'
    when new.status = old.status then 'order.changed'
    when new.status in ('delivered', 'cancelled') then 'order.' || new.status
    else 'order.status_changed' end;
  v_endpoints integer[];
begin
  with added as (
    insert into webhook_deliveries (endpoint_id, subject, type, data)
    select e.id, new.id, v_type, jsonb_build_object(
      'orderId', new.id, 'vendorId', new.vendor_id, 'status', new.status, 'version', new.version)
    from webhook_endpoints e
    where e.is_enabled and v_type = any (e.events) and (e.vendor_id is null or e.vendor_id = new.vendor_id)
    returning endpoint_id)
  select array_agg(endpoint_id) into v_endpoints from added;
  if v_endpoints is null then return null; end if;
  insert into pgboss.job (name, data, keep_until, retry_limit, retry_delay, retry_backoff, expire_seconds,
                          deletion_seconds, heartbeat_seconds, dead_letter, policy)
  select q.name, jsonb_build_object('endpointId', a.id), now() + q.retention_seconds * interval '1 second',
         q.retry_limit, q.retry_delay, q.retry_backoff, q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds,
         q.dead_letter, q.policy
  from unnest(v_endpoints) as a (id) join pgboss.queue q on q.name = 'outgoing-webhooks'
  where not exists (
    select from pgboss.job j where j.name = q.name and j.state < 'active' and (j.data ->> 'endpointId')::int = a.id);
  return null;
end $$;

create or replace trigger queue_webhooks_placed after insert on orders for each row
  when (not new.is_test) execute function queue_webhooks();
create or replace trigger queue_webhooks_changed after update on orders for each row
  when (not new.is_test and old.version is distinct from new.version) execute function queue_webhooks();
