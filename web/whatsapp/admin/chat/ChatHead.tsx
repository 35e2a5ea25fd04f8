import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { exportConversation } from '@qatra/contract/whatsapp/inbox/transcript'
import { LONGEST_REASON } from '@qatra/contract/whatsapp/inbox/work'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addressOf } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { Avatar } from '../../../ui/admin/Avatar.tsx'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { SelectField } from '../../../ui/admin/form/fields.tsx'
import { CardIcon, DotsIcon, MutedIcon } from '../../../ui/admin/icons.ts'
import { Menu } from '../../../ui/admin/Menu.tsx'
import { Phone } from '../../../ui/Bidi.tsx'
import { classes } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { StartIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CannedReplies } from '../composer/CannedReplies.tsx'
import { useContactName } from '../inbox/ConversationRow.tsx'
import { peopleQuery } from '../inbox/inbox-cache.ts'
import type { Inbox } from '../inbox/use-inbox.ts'
import { assignRequested } from '../inbox/use-inbox-keys.ts'
import { minutesLeft } from './chat-time.ts'
import { useConversationActions } from './use-conversation-actions.ts'
import type { Work } from './use-work.ts'
import { WorkButtons } from './WorkButtons.tsx'

interface HeadProps {
  contactId: number
  detail: ConversationDetail | undefined
  inbox: Inbox
  work: Work | null
  now: Date
  onFind(): void
}

const square = 'grid size-8 flex-none place-items-center rounded-s text-ink-2 hover:bg-well max-md:size-tap'

/** Contact, remaining time of the 24-hour window, and a menu of actions. */
export function ChatHead({ contactId, detail, inbox: { conversations, setState }, work, now, onFind }: HeadProps) {
  const { t, lang } = useLanguage()
  const nameOf = useContactName()
  const user = useUser()
  const actions = useConversationActions(contactId)
  const params = { contact: String(contactId) }
  const [dialog, setDialog] = useState<'assign' | 'canned' | 'block' | null>(null)
  useEffect(() => assignRequested.on(() => setDialog('assign')), [])
  const name = detail && nameOf(detail)
  // The keys of these buttons work while the details are loading.
  const conversation = detail ?? conversations.find((one) => one.contactId === contactId)
  return (
    <header className="flex min-h-16 flex-none items-center gap-3 border-b border-line bg-page px-4 max-md:gap-1 max-md:px-2 md:px-6">
      <button
        type="button"
        aria-label={t('inbox.back')}
        className={classes(square, 'md:hidden')}
        onClick={() => setState({ open: undefined })}
      >
        <StartIcon size={22} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="flex min-h-tap min-w-0 items-center gap-3 rounded-m text-start xl:pointer-events-none"
        onClick={() => setState({ card: true })}
      >
        <span className="flex-none max-md:hidden">
          <Avatar name={name ?? ''} size="large" />
        </span>
        <span className="min-w-0 leading-snug">
          {detail ? (
            <span className="flex items-center gap-1.5">
              <bdi className="truncate text-body font-strong">{name}</bdi>
              {detail.isMuted && (
                <span title={t('inbox.muted')} className="flex-none text-ink-3">
                  <MutedIcon size={16} aria-hidden="true" />
                  <span className="sr-only">{t('inbox.muted')}</span>
                </span>
              )}
            </span>
          ) : (
            <Skeleton className="h-5 w-36" />
          )}
          {detail && (
            <span className="block truncate text-caption text-ink-3">
              <Facts detail={detail} />
            </span>
          )}
        </span>
        <span className="sr-only">{t('inbox.showCard')}</span>
      </button>
      <span className="ms-auto" />
      {detail && <Window detail={detail} now={now} />}
      {conversation && work && <WorkButtons conversation={conversation} work={work} />}
      <button
        type="button"
        aria-label={t('inbox.showCard')}
        className={classes(square, 'max-md:hidden xl:hidden')}
        onClick={() => setState({ card: true })}
      >
        <CardIcon size={18} aria-hidden="true" />
      </button>
      {work && detail && (
        <Menu
          label={t('admin.actions')}
          buttonLabel={t('admin.actions')}
          className={square}
          button={<DotsIcon size={18} aria-hidden="true" />}
          choices={[
            ...(detail.assignedTo?.id === user?.id
              ? []
              : [{ key: 'me', label: t('inbox.assign.toMe'), onChoose: () => void work.assignToMe() }]),
            { key: 'assign', label: t('inbox.assign'), onChoose: () => setDialog('assign') },
            detail.pausedUntil
              ? { key: 'back', label: t('inbox.handBack'), onChoose: () => void actions.handBack() }
              : { key: 'take', label: t('inbox.takeOver'), onChoose: () => void actions.takeOver() },
            { key: 'find', label: t('inbox.find'), onChoose: onFind },
            {
              key: 'mute',
              label: t(detail.isMuted ? 'inbox.unmute' : 'inbox.mute'),
              onChoose: () => void work.switchMute(),
            },
            ...(detail.blocked?.mayEnd === false
              ? []
              : [
                  {
                    key: 'block',
                    label: t(detail.blocked ? 'inbox.unblock' : 'inbox.block'),
                    onChoose: () => (detail.blocked ? void actions.block(null) : setDialog('block')),
                  },
                ]),
            {
              key: 'export',
              label: t('inbox.export'),
              // Answered as an attachment: the page stays.
              onChoose: () => location.assign(addressOf(exportConversation.path, { params, query: { lang } })),
            },
            ...(user?.permissions.includes('whatsapp.write')
              ? [{ key: 'canned', label: t('inbox.canned.manage'), onChoose: () => setDialog('canned') }]
              : []),
          ]}
        />
      )}
      {dialog === 'assign' && detail && <AssignDialog detail={detail} onClose={() => setDialog(null)} />}
      <ConfirmDialog
        open={dialog === 'block'}
        title={t('inbox.block.title')}
        confirm={t('inbox.block')}
        tone="danger"
        reason="required"
        reasonLabel={t('inbox.block.reason')}
        onConfirm={(reason) => {
          setDialog(null)
          void actions.block(reason.trim().slice(0, LONGEST_REASON))
        }}
        onCancel={() => setDialog(null)}
      >
        {t(user?.role === 'super_admin' ? 'inbox.block.text' : 'inbox.block.text.vendor')}
      </ConfirmDialog>
      {dialog === 'canned' && <CannedReplies onClose={() => setDialog(null)} />}
    </header>
  )
}

/** What stands under the name: the phone unless it is shown as the name, the language, and who answers. */
function Facts({ detail: { name, phone, language, assignedTo } }: { detail: ConversationDetail }) {
  const { t } = useLanguage()
  const user = useUser()
  const first = phone ? name !== null && <Phone phone={phone} /> : t('inbox.noPhone')
  const between = first && ' · '
  return (
    <>
      {first}
      {/* The card has it, too. */}
      {language && (
        <span className="max-md:hidden xl:hidden">
          {between}
          {t(`inbox.language.${language}`)}
        </span>
      )}
      {assignedTo && assignedTo.id !== user?.id && (
        <span className="max-md:hidden">
          {between}
          {t('inbox.with', { name: assignedTo.name ?? t('inbox.by.staff') })}
        </span>
      )}
    </>
  )
}

const DAY_MINUTES = 24 * 60
const SOON_MINUTES = 60
const RADIUS = 8
const ROUND = 2 * Math.PI * RADIUS

/** The rest of the 24-hour window as a ring and as text. */
function Window({ detail, now }: { detail: ConversationDetail; now: Date }) {
  const { t } = useLanguage()
  const { windowEndsAt } = detail
  if (windowEndsAt === null) return null
  const left = minutesLeft(windowEndsAt, now)
  const [hours, minutes] = [Math.floor(left / 60), left % 60]
  const words =
    left === 0
      ? t('inbox.window.closed')
      : hours > 0
        ? t('inbox.window.hours', { hours, minutes })
        : t('inbox.window.minutes', { minutes })
  return (
    <span
      className={classes(
        'flex flex-none items-center gap-2 text-caption font-strong',
        left === 0 ? 'text-ink-2' : left <= SOON_MINUTES ? 'text-clay' : 'text-ink',
      )}
      title={t('inbox.window.hint')}
    >
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" className="-rotate-90">
        <circle cx="11" cy="11" r={RADIUS} fill="none" strokeWidth="3.5" className="stroke-well-2" />
        <circle
          cx="11"
          cy="11"
          r={RADIUS}
          fill="none"
          strokeWidth="3.5"
          strokeDasharray={`${(ROUND * Math.min(left, DAY_MINUTES)) / DAY_MINUTES} ${ROUND}`}
          className={left <= SOON_MINUTES ? 'stroke-clay' : 'stroke-gulf'}
        />
      </svg>
      <span className="max-lg:sr-only xl:max-[90rem]:sr-only">{words}</span>
    </span>
  )
}

/** Assigns a conversation to a person. */
function AssignDialog({ detail, onClose }: { detail: ConversationDetail; onClose(): void }) {
  const t = useT()
  const user = useUser()
  const { data: people } = useQuery(peopleQuery(detail.contactId))
  const actions = useConversationActions(detail.contactId)
  const [chosen, setChosen] = useState(String(detail.assignedTo?.id ?? ''))
  // Whoever had it when the dialog opened.
  const [from] = useState(detail.assignedTo?.id ?? null)
  const [busy, setBusy] = useState(false)
  async function assign() {
    setBusy(true)
    if (await actions.assign(chosen === '' ? null : Number(chosen), from)) onClose()
    setBusy(false)
  }
  return (
    <Dialog
      open
      title={t('inbox.assign')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('admin.save'), tone: 'gulf', busy, onChoose: () => void assign() }}
    >
      <SelectField
        label={t('inbox.assign.to')}
        className="mt-3 text-ink"
        value={chosen}
        options={[
          { value: '', label: t('inbox.assign.nobody') },
          ...(people ?? []).map(({ id, name, openCount }) => ({
            value: String(id),
            label: t('inbox.assign.load', {
              name: id === user?.id ? t('inbox.assign.me', { name: name ?? '—' }) : (name ?? '—'),
              count: openCount,
            }),
          })),
        ]}
        onChange={(value) => setChosen(value ?? '')}
      />
    </Dialog>
  )
}
