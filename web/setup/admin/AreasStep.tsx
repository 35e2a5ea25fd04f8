import { formatDay } from '@qatra/contract/calendar/calendar'
import { getSetup, getShippedAreas, installAreas, type SetupItem } from '@qatra/contract/settings/setup'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useInLang } from '../../app/names.ts'
import { refreshAreas } from '../../areas/admin/api.ts'
import { call, read } from '../../lib/api-client.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { leaveForStep } from './BackToSetup.tsx'

/** Installs the shipped areas; says where they come from and how to replace them. */
export function AreasStep({ item }: { item: SetupItem }) {
  const t = useT()
  const lang = useLang()
  const inLang = useInLang()
  const queries = useQueryClient()
  const { data: shipped } = useQuery(read(getShippedAreas))
  const { busy, problem, run } = useAction(() => t('setup.failed'))
  const install = () =>
    run(async () => {
      const { created } = await call(installAreas, {})
      toast({ title: t('setup.areas.installed', { created }) })
      await Promise.all([queries.invalidateQueries({ queryKey: [getSetup.path] }), refreshAreas(queries)])
    })
  return (
    <>
      {shipped && (
        <p className="max-w-160 rounded-m bg-well px-4 py-3 text-label text-ink-2">
          {t('setup.areas.source', {
            source: inLang(shipped.source, shipped.sourceAr),
            date: formatDay(shipped.date, lang, 'medium'),
          })}{' '}
          {t('setup.areas.replace')}
        </p>
      )}
      <Problem words={problem} />
      <div className="flex flex-wrap gap-2.5">
        {!item.done && (
          <Button tone="aqua" busy={busy} onClick={() => void install()}>
            {t('setup.areas.install', { count: shipped?.count ?? 0 })}
          </Button>
        )}
        <Link to="/admin/areas" className={buttonClass('quiet')} onClick={() => leaveForStep('areas')}>
          {t('setup.areas.open')}
        </Link>
      </div>
    </>
  )
}

export function Problem({ words }: { words: string | null }) {
  return (
    <p role="alert" className={words ? 'rounded-m bg-clay-soft px-3.5 py-2.5 text-clay' : 'hidden'}>
      {words}
    </p>
  )
}
