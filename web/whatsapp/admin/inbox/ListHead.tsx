import { getConnection } from '@qatra/contract/whatsapp/connection/connection'
import { changeDuty, getDuty } from '@qatra/contract/whatsapp/inbox/work'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, read } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { SnoozeIcon } from '../../../ui/admin/icons.ts'
import { classes } from '../../../ui/class-names.ts'
import { PlusIcon, UserIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { NewConversationDialog } from './NewConversationDialog.tsx'

/** Title of the list, whether the person is on duty, the connection, and a new conversation. */
export function ListHead({ onStarted }: { onStarted(contactId: number): void }) {
  const t = useT()
  const permissions = useUser()?.permissions ?? []
  return (
    <header className="flex min-h-16 items-center justify-between gap-3 px-5">
      <h2 className="text-title">{t('inbox.title')}</h2>
      <div className="flex items-center gap-1">
        {permissions.includes('whatsapp.connect') && <ConnectionDot />}
        {permissions.includes('whatsapp.reply') && <DutyButton />}
        {permissions.includes('whatsapp.write') && <StartButton onStarted={onStarted} />}
      </div>
    </header>
  )
}

const square = 'grid size-9.5 place-items-center rounded-m text-ink-2 hover:bg-well hover:text-ink max-md:size-tap'

/** On duty, or off: then no conversation comes in turn. */
function DutyButton() {
  const t = useT()
  const queries = useQueryClient()
  const query = read(getDuty)
  const { data } = useQuery(query)
  const { busy, run } = useAction((error) => toast({ title: t('inbox.notDone'), text: refusalText(t, error, 'inbox') }))
  if (!data) return <span className="size-9.5" />
  const { isAway } = data
  const change = () =>
    run(async () => {
      queries.setQueryData(query.queryKey, await call(changeDuty, { body: { isAway: !isAway } }))
      toast({ title: t(isAway ? 'inbox.duty.back' : 'inbox.duty.left') })
    })
  const Sign = isAway ? SnoozeIcon : UserIcon
  return (
    <button
      type="button"
      role="switch"
      aria-checked={!isAway}
      aria-label={t('inbox.duty')}
      title={t(isAway ? 'inbox.duty.off' : 'inbox.duty.on')}
      className={classes(square, 'relative')}
      onClick={() => busy || void change()}
    >
      <Sign size={20} aria-hidden="true" />
      {!isAway && (
        <span
          aria-hidden="true"
          className="absolute end-1.5 bottom-1.5 size-2.5 rounded-full bg-aqua ring-2 ring-page"
        />
      )}
    </button>
  )
}

/** Starts a conversation with a contact who has not written. */
function StartButton({ onStarted }: { onStarted(contactId: number): void }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={t('inbox.start')}
        title={t('inbox.start')}
        className={classes(square, '-me-2')}
        onClick={() => setOpen(true)}
      >
        <PlusIcon size={20} aria-hidden="true" />
      </button>
      {isOpen && (
        <NewConversationDialog
          onClose={() => setOpen(false)}
          onStarted={(contactId) => {
            setOpen(false)
            onStarted(contactId)
          }}
        />
      )}
    </>
  )
}

/** State of the WhatsApp connection, as a link to its page. */
function ConnectionDot() {
  const t = useT()
  const { data } = useQuery(read(getConnection))
  if (!data) return <Skeleton className="h-5 w-20" />
  const isFine = data.state === 'connected'
  const isSimulated = data.state === 'simulated'
  return (
    <Link
      to="/admin/whatsapp/connection"
      className={classes(
        'flex min-h-6 items-center gap-2 text-caption hover:underline max-md:min-h-tap',
        isFine || isSimulated ? 'text-ink-2' : 'font-strong text-clay',
      )}
    >
      <span
        aria-hidden="true"
        className={classes('size-2 flex-none rounded-full', isFine ? 'bg-aqua' : isSimulated ? 'bg-ink-3' : 'bg-clay')}
      />
      {t(`inbox.connection.${data.state}`)}
    </Link>
  )
}
