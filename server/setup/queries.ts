import type { SetupItem } from '@qatra/contract/settings/setup'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { readSettings } from '../site/queries.ts'
import { readConnection } from '../whatsapp-device/connection.queries.ts'
import { checklistOf, type SetupFacts } from './rules.ts'

const stateSql = statement(
  'setup-state',
  `select
     (select count(*)::int from areas) as "areas",
     (select count(*)::int from vendors where is_active) as "vendors",
     (select count(*)::int from products p join vendors v on v.id = p.vendor_id
      where v.is_active and p.is_active and p.deleted_at is null) as "products",
     exists (select from vendors v where v.is_active
       and exists (select from products p where p.vendor_id = v.id and p.is_active and p.deleted_at is null)
       and exists (select from vendor_delivery_areas d where d.vendor_id = v.id)) as "hasOffer",
     exists (select from vendors where is_active and (cut_off is not null or days_chosen))
       or exists (select from holidays where vendor_id is not null)
       or exists (select from audit_log where resource in ('holiday', 'closure')) as "hasDays",
     (select count(*)::int from users where role not in ('customer', 'super_admin') and is_active)
       + (select count(*)::int from staff_invitations where state = 'open' and expires_at > now()) as "people",
     exists (select from customer_imports where undone_at is null) as "hasImport",
     exists (select from users where telegram_chat_id is not null and is_active) as "isLinked",
     (select id from orders where is_test limit 1) as "testOrderId",
     exists (select from orders where not is_test)
       or exists (select from audit_log where resource = 'test-order' and action = 'deleted') as "isTested"`,
)
type State = Omit<SetupFacts, 'settings' | 'isWhatsappConnected' | 'isTelegramLinked'> & { isLinked: boolean }

/** A simulated provider counts as not connected: it reaches nobody. */
export async function readSetup(ctx: Ctx, config: Config): Promise<SetupItem[]> {
  const settings = await readSettings(ctx)
  const connection = await readConnection(ctx, config)
  const [state] = await run<State>(ctx.db, stateSql)
  if (!state) throw new Error('A select without a table answers one row')
  const { isLinked, ...facts } = state
  return checklistOf({
    ...facts,
    settings,
    isWhatsappConnected: connection.provider !== 'simulator' && connection.state === 'connected',
    isTelegramLinked: isLinked && !config.telegram.isSimulated,
  })
}
