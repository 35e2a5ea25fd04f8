import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CallError } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AllReadIcon, MutedIcon, SoundIcon } from '../../ui/admin/icons.ts'
import { classes } from '../../ui/class-names.ts'
import { toast } from '../../ui/Toast.tsx'
import { setSound, useNotificationStore } from './notification-store.ts'
import { markRead, recentNotifications } from './recent.ts'
import { playSound } from './sound.ts'

const tool =
  'grid size-8.5 place-items-center rounded-[10px] text-ink-2 hover:bg-well hover:text-ink disabled:opacity-40 max-md:size-tap'

/** Connection state, sound switch and "mark all as read". */
export function PanelTools() {
  const t = useT()
  const queries = useQueryClient()
  const { connection, hasSound, unread } = useNotificationStore()
  const newest = useQuery(recentNotifications()).data?.items[0]
  const soundName = t(hasSound ? 'notifications.mute' : 'notifications.unmute')
  async function readAll() {
    if (!newest) return
    try {
      await markRead(queries, { upTo: newest.id })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast({ title: t('admin.failed'), text: t('admin.failed.hint'), tone: 'error' })
      void queries.invalidateQueries({ queryKey: recentNotifications().queryKey })
    }
  }
  return (
    <div className="flex min-w-0 flex-1 items-center gap-0.5">
      <span role="status" className="me-auto flex min-w-0 items-center gap-1.5 text-caption text-ink-3">
        <span
          aria-hidden="true"
          className={classes('size-2 flex-none rounded-full', connection === 'connected' ? 'bg-aqua-ink' : 'bg-ink-3')}
        />
        <span className="truncate">{t(`notifications.line.${connection}`)}</span>
      </span>
      <button
        type="button"
        aria-label={soundName}
        title={soundName}
        className={tool}
        onClick={() => {
          setSound(!hasSound)
          if (!hasSound) playSound()
        }}
      >
        {hasSound ? <SoundIcon size={18} aria-hidden="true" /> : <MutedIcon size={18} aria-hidden="true" />}
      </button>
      <button
        type="button"
        aria-label={t('notifications.readAll')}
        title={t('notifications.readAll')}
        className={tool}
        disabled={unread === 0 || !newest}
        onClick={() => void readAll()}
      >
        <AllReadIcon size={18} aria-hidden="true" />
      </button>
    </div>
  )
}
