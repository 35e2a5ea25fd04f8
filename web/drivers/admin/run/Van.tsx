import { getRun, type Run } from '@qatra/contract/drivers'
import { writeVan } from '@qatra/contract/van'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { useAction } from '../../../lib/use-action.ts'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Stepper } from '../../../ui/Stepper.tsx'

const MOST = 10_000

/** Bottles of the day's orders by type, with what the van has of them. */
function typesOf({ stops, van }: Run) {
  const types = new Map(stops.flatMap(({ bottles }) => bottles).map((type) => [type.typeId, type]))
  return [...types.values()].map((type) => {
    const items = stops.flatMap((stop) => (stop.status === 'cancelled' ? [] : stop.items))
    const ofType = items.filter(({ bottleTypeId, empties }) => bottleTypeId === type.typeId && empties !== null)
    const ordered = ofType.reduce((sum, { quantity }) => sum + quantity, 0)
    return { ...type, ordered, line: van.find(({ typeId }) => typeId === type.typeId) }
  })
}
type VanType = ReturnType<typeof typesOf>[number]

/** The morning's load and the evening's count, beside the cash of the day; nothing without bottles that come back. */
export function Van({ run }: { run: Run }) {
  const t = useT()
  const nameIn = useNameIn()
  const [kind, setKind] = useState<'loaded' | 'counted' | null>(null)
  const types = typesOf(run)
  if (types.length === 0) return null
  return (
    <section aria-label={t('run.van')} className="border-t-8 border-well px-4 pt-3.5 pb-4">
      <h2 className="mb-1 text-body font-strong">{t('run.van')}</h2>
      {types.map(({ typeId, line, ...type }) => (
        <p key={typeId} className="py-1">
          <span className="block">{nameIn(type)}</span>
          <span className="block text-label text-ink-2">
            {t('run.vanLine', {
              loaded: line?.loaded ?? 0,
              delivered: line?.delivered ?? 0,
              returned: line?.returned ?? 0,
            })}
          </span>
          {line && line.difference !== null && (
            <span className={line.difference === 0 ? 'text-label text-ink-2' : 'text-label font-strong text-clay'}>
              {line.difference === 0
                ? t('run.vanRight')
                : t(line.difference < 0 ? 'run.vanMissing' : 'run.vanMore', { count: Math.abs(line.difference) })}
            </span>
          )}
        </p>
      ))}
      <div className="mt-2 grid grid-cols-2 gap-2">
        <Button tone="outline" className="min-h-13" onClick={() => setKind('loaded')}>
          {t('run.vanLoad')}
        </Button>
        <Button tone="outline" className="min-h-13" onClick={() => setKind('counted')}>
          {t('run.vanCount')}
        </Button>
      </div>
      {kind && <VanSheet run={run} kind={kind} types={types} onClose={() => setKind(null)} />}
    </section>
  )
}

interface VanSheetProps {
  run: Run
  kind: 'loaded' | 'counted'
  types: readonly VanType[]
  onClose(): void
}

/** Numbers as the orders and reports of the day say, until somebody counts. */
function VanSheet({ run, kind, types, onClose }: VanSheetProps) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  // One key a sheet: saving again after a lost answer books nothing twice.
  const [key] = useState(() => crypto.randomUUID())
  const [counts, setCounts] = useState(() =>
    types.map(({ typeId, ordered, line }) =>
      kind === 'loaded'
        ? { typeId, full: Math.max(0, ordered - (line?.loaded ?? 0)), empty: 0 }
        : { typeId, full: Math.max(0, line?.left ?? 0), empty: Math.max(0, line?.empties ?? 0) },
    ),
  )
  const {
    busy,
    problem,
    run: act,
  } = useAction(({ code }) => t(code === 'CASH_DAY_CLOSED' ? 'run.vanClosed' : 'run.vanFailed'))
  const save = async () => {
    const body = { date: run.date, kind }
    for (const count of counts)
      if (kind === 'counted' || count.full > 0)
        await call(writeVan, {
          params: { id: String(run.driver.id) },
          body: { ...body, ...count, key: `${key}:${count.typeId}` },
        })
    await queries.invalidateQueries({ queryKey: [getRun.path] })
    onClose()
  }
  const title = t(kind === 'loaded' ? 'run.vanLoad' : 'run.vanCount')
  const fields = kind === 'loaded' ? (['full'] as const) : (['full', 'empty'] as const)
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <div className="grid gap-4 p-5">
        {types.map((type, i) => (
          <div key={type.typeId} className="grid grid-cols-2 gap-2">
            <span className="col-span-2 font-strong">{nameIn(type)}</span>
            {fields.map((field) => (
              <div key={field}>
                <span className="mb-1 block text-label">{t(`run.van.${field}`)}</span>
                <Stepper
                  name={`${nameIn(type)} · ${t(`run.van.${field}`)}`}
                  quantity={counts[i]?.[field] ?? 0}
                  max={MOST}
                  hasBin={false}
                  isCount
                  isQuiet
                  onChange={(value) =>
                    setCounts(counts.map((one, at) => (at === i ? { ...one, [field]: value } : one)))
                  }
                  className="w-full [--tap:56px]"
                />
              </div>
            ))}
          </div>
        ))}
        {problem && (
          <p role="alert" className="text-clay">
            {problem}
          </p>
        )}
        <Button tone="aqua" size="big" className="min-h-15!" busy={busy} onClick={() => void act(save)}>
          {t('run.vanSave')}
        </Button>
      </div>
    </Sheet>
  )
}
