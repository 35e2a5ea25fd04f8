import { concerns, type ConversationFacts, kindsFor, notificationKinds } from '@qatra/contract/notifications/kinds'
import { includedPermissions, type RoleChoice } from '@qatra/contract/users/permissions'
import type { ActorUser } from '@qatra/contract/users/actor'
import { findRungVendorIds } from '../conversations/policy.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import type { JobOf } from '../jobs/queues.ts'
import { translatorFor } from '../lib/translate.ts'
import { deleteEndpoint } from '../push/commands.ts'
import { type Device, pushGateway } from '../push/gateway.ts'
import { type StaffNews, staffNewsOf } from './event-messages.ts'
import { reaches } from './policy.ts'

interface Receiver extends Device, ConversationFacts, Pick<ActorUser, 'id' | 'vendorId' | 'language'>, RoleChoice {
  permissions: string[]
  notificationEnabled: boolean
  notificationTypes: string[]
}

// Not the session of an admin who acts as somebody.
const devicesSql = statement(
  'staff-devices',
  `select p.endpoint, p.p256dh, p.auth, u.id, u.role, u.preset, u.vendor_id as "vendorId", u.permissions, u.language,
     u.notification_enabled as "notificationEnabled", u.notification_types as "notificationTypes",
     t.assigned_to as "assignedTo", t.muted_by as "mutedBy"
   from push_subscriptions p join sessions s on s.id = p.session_id join users u on u.id = s.user_id
   join whatsapp_conversation_threads t on t.contact_id = $1
   where u.role <> 'customer' and u.is_active and s.impersonator_id is null and s.expires_at > now()`,
)

/** Devices of staff who reach the conversation, want its notifications, and have it or may take it. */
async function listReceivers(db: Db, contactId: number, { kind }: StaffNews): Promise<Receiver[]> {
  const vendorIds = await findRungVendorIds(db, contactId)
  const about = { kind, vendorId: null, driverId: null, formerDriverId: null, agentId: null, contactId, vendorIds }
  return (await run<Receiver>(db, devicesSql, [contactId])).filter((one) => {
    const person = { ...one, permissions: [...includedPermissions(one), ...one.permissions] }
    return reaches(person, about) && kindsFor(person).includes(kind) && concerns(one.id, one)
  })
}

const pushedOf = (job: JobOf<'conversation-push'>) =>
  staffNewsOf(job).filter(({ kind }) => notificationKinds[kind].pushes)

/** Sends messages of conversations to the devices of staff. Not repeated: the page shows them anyway. */
export function staffPushJobs(app: App, push = pushGateway(app.config)) {
  const options = { isUrgent: true, concurrency: 2, retryLimit: 0, expireInSeconds: 30 }
  app.queue.handle('conversation-push', options, async ({ data }) => {
    for (const news of pushedOf(data)) {
      const receivers = await listReceivers(app.db, data.contactId, news)
      await Promise.all(
        receivers.map(async ({ endpoint, p256dh, auth, language }) => {
          const t = translatorFor(language)
          const result = await push.send(
            { endpoint, p256dh, auth },
            {
              lang: language,
              title: t(`notifications.${news.kind}`),
              body: t('notifications.push.text'),
              path: `/admin/whatsapp?open=${data.contactId}`,
              tag: `conversation:${data.contactId}`,
            },
          )
          if (result === 'gone') await deleteEndpoint(app.db, endpoint)
        }),
      )
    }
  })
}
