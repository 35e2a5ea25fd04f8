-- Lets staff follow the cart of a customer in a conversation of the last day: the job of `conversation.changed`
-- that refreshes screens, and no other. A trigger, because carts are a lower layer and change on a hot path.
create or replace function tell_cart_changed() returns trigger language plpgsql as $$
begin
  insert into pgboss.job (name, data, start_after, keep_until, retry_limit, retry_delay, retry_backoff, expire_seconds,
                          deletion_seconds, heartbeat_seconds, dead_letter, policy)
  select q.name, jsonb_build_object('event', 'conversation.changed', 'contactId', c.id), now(),
         now() + q.retention_seconds * interval '1 second', q.retry_limit, q.retry_delay, q.retry_backoff,
         q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds, q.dead_letter, q.policy
  from users u join contacts c on c.phone = u.phone
  join whatsapp_conversation_threads t on t.contact_id = c.id and t.last_activity > now() - interval '1 day'
  join pgboss.queue q on q.name = 'conversation-notifications'
  where u.id = new.user_id;
  return null;
end $$;

create or replace trigger tell_cart_changed after insert or update on carts
  for each row when (new.user_id is not null) execute function tell_cart_changed();
