import type { CannedReply } from '@qatra/contract/whatsapp/inbox/canned-replies'
import * as api from '@qatra/contract/whatsapp/inbox/canned-replies'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { useAction } from '../../../lib/use-action.ts'
import { UploadIcon } from '../../../ui/admin/icons.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { BinIcon, EditIcon, PlusIcon } from '../../../ui/icons.tsx'
import { cannedQuery } from '../inbox/inbox-cache.ts'
import { CannedForm } from './CannedForm.tsx'
import { CannedImport } from './CannedImport.tsx'

/** Lists canned replies; creates, edits and deletes them. */
export function CannedReplies({ onClose }: { onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const query = useQuery(cannedQuery())
  const [edited, setEdited] = useState<CannedReply | 'new' | 'import' | null>(null)
  const [removing, setRemoving] = useState<CannedReply | null>(null)
  const { problem, run } = useAction(() => t('inbox.error.other'))
  const renew = () => queries.invalidateQueries({ queryKey: cannedQuery().queryKey })

  async function remove({ id }: CannedReply) {
    await run(() => call(api.deleteCannedReply, { params: { id: String(id) } }))
    setRemoving(null)
    await renew()
  }
  const items = query.data?.items
  if (edited === 'import') return <CannedImport onClose={() => setEdited(null)} />
  if (edited) {
    const done = () => {
      setEdited(null)
      void renew()
    }
    return <CannedForm reply={edited === 'new' ? null : edited} onDone={done} onCancel={() => setEdited(null)} />
  }
  return (
    <Dialog
      open
      title={t('inbox.canned')}
      className="admin max-w-150"
      safe={{ label: t('admin.close'), onChoose: onClose }}
    >
      <div className="mt-2 grid max-h-[62dvh] gap-3 overflow-y-auto p-0.5 text-ink">
        {problem && (
          <p role="alert" className="text-clay">
            {problem}
          </p>
        )}
        <p className="text-ink-2">{t('inbox.canned.hint')}</p>
        {items?.length === 0 && <p>{t('inbox.canned.empty')}</p>}
        <ul className="grid">
          {items?.map((reply) => (
            <li
              key={reply.id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-b border-line py-2 last:border-b-0"
            >
              <span className="min-w-0">
                <bdi className="font-strong text-gulf">/{reply.shortcut}</bdi>
                {!reply.isActive && <span className="text-ink-3"> · {t('inbox.canned.off')}</span>}
                {reply.bodyAr && (
                  <span className="block truncate" dir="rtl" lang="ar">
                    {reply.bodyAr}
                  </span>
                )}
                {reply.body && (
                  <span className="block truncate text-ink-2" dir="ltr" lang="en">
                    {reply.body}
                  </span>
                )}
                <OneLanguage reply={reply} />
              </span>
              {removing?.id === reply.id ? (
                <span className="flex items-center gap-2">
                  <Button size="small" tone="danger" onClick={() => void remove(reply)}>
                    {t('inbox.canned.remove')}
                  </Button>
                  <Button size="small" onClick={() => setRemoving(null)}>
                    {t('admin.cancel')}
                  </Button>
                </span>
              ) : (
                <span className="flex items-center">
                  <IconButton label={t('inbox.canned.edit', { name: reply.shortcut })} onClick={() => setEdited(reply)}>
                    <EditIcon size={16} aria-hidden="true" />
                  </IconButton>
                  <IconButton
                    label={t('inbox.canned.removeNamed', { name: reply.shortcut })}
                    onClick={() => setRemoving(reply)}
                  >
                    <BinIcon size={16} aria-hidden="true" />
                  </IconButton>
                </span>
              )}
            </li>
          ))}
        </ul>
        <span className="flex flex-wrap gap-2">
          <Button size="small" tone="gulf" icon={PlusIcon} onClick={() => setEdited('new')}>
            {t('inbox.canned.new')}
          </Button>
          <Button size="small" icon={UploadIcon} onClick={() => setEdited('import')}>
            {t('inbox.canned.import')}
          </Button>
        </span>
      </div>
    </Dialog>
  )
}

/** Names the language that a reply lacks. */
function OneLanguage({ reply: { body, bodyAr } }: { reply: CannedReply }) {
  const t = useT()
  if (body !== '' && bodyAr !== '') return null
  return (
    <span className="block text-caption text-clay">{t(body === '' ? 'inbox.canned.noEn' : 'inbox.canned.noAr')}</span>
  )
}

function IconButton({ label, onClick, children }: { label: string; onClick(): void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-8 place-items-center rounded-s text-ink-2 hover:bg-well max-md:size-tap"
      onClick={onClick}
    >
      {children}
    </button>
  )
}
