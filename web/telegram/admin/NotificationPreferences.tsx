import { kindsFor, notificationKinds } from '@qatra/contract/notifications/kinds'
import { notificationTypes, updateProfile } from '@qatra/contract/users/auth'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '../../lib/api-client.ts'
import { currentUser, useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { SwitchField } from '../../ui/admin/form/fields.tsx'

/** Display order: the most frequent first. */
const inOrder = [
  'new_orders',
  'order_updates',
  'whatsapp_incoming',
] as const satisfies (typeof notificationTypes)[number][]
type NotificationType = (typeof notificationTypes)[number]

/** Notification types that the person can receive. */
function preferencesOf(person: Pick<Parameters<typeof kindsFor>[0], 'role' | 'permissions'>): NotificationType[] {
  const kinds = kindsFor({ ...person, notificationEnabled: true, notificationTypes })
  return inOrder.filter((type) => kinds.some((kind) => notificationKinds[kind].type === type))
}

/** Preferences of the user: a change shows at once and is reverted if saving fails. */
export function NotificationPreferences() {
  const t = useT()
  const queries = useQueryClient()
  const user = useUser()
  const [isFailed, setFailed] = useState(false)
  // Local state: the query cache reports the change later than the click.
  const [pressed, setPressed] = useState<NotificationType[] | null>(null)
  if (!user) return null
  const { notificationEnabled, notificationTypes: own } = user
  const isChosen = (type: NotificationType) => pressed?.includes(type) ?? (notificationEnabled && own.includes(type))

  async function choose(type: NotificationType, on: boolean) {
    const { queryKey } = currentUser()
    const chosen = notificationTypes.filter((one) => (one === type ? on : isChosen(one)))
    const preferences = { notificationEnabled: true, notificationTypes: chosen }
    setFailed(false)
    setPressed(chosen)
    try {
      await call(updateProfile, { body: preferences })
      queries.setQueryData(queryKey, (me) => me && { ...me, ...preferences })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailed(true)
    } finally {
      setPressed((now) => (now === chosen ? null : now))
    }
  }

  return (
    <section className="mt-10 max-w-120">
      <h2 className="text-heading">{t('telegramPage.choices')}</h2>
      <p className="text-ink-2">{t('telegramPage.choices.hint')}</p>
      <div className="mt-2 divide-y divide-line">
        {preferencesOf(user).map((type) => (
          <SwitchField
            key={type}
            className="py-1"
            label={t(`telegramPage.choice.${type}`)}
            value={isChosen(type)}
            onChange={(on) => void choose(type, on)}
          />
        ))}
      </div>
      {isFailed && (
        <p role="alert" className="mt-2 text-clay">
          {t('telegramPage.choice.failed')}
        </p>
      )}
    </section>
  )
}
