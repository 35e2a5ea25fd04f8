import type { Run } from '@qatra/contract/drivers'
import type { VanLine } from '@qatra/contract/van'
import { useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Size } from '../../../ui/Bidi.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Stepper } from '../../../ui/Stepper.tsx'
import type { VanCount, VanReport } from './run-van.ts'

const MOST = 10_000

/** What the van can carry: a type of bottles, or pieces of a product without a bottle that comes back. */
interface VanGoods {
  typeId: number | null
  productId: number | null
  name: string
  nameAr: string | null
  size: string | null
  /** Pieces in the orders of the day. */
  ordered: number
  line: VanLine | undefined
}

/** Types of bottles, then products; those of the day's orders and of the van first. */
function goodsOf({ stops, van, products }: Run): VanGoods[] {
  const items = stops.flatMap((stop) => (stop.status === 'cancelled' ? [] : stop.items))
  const isLent = ({ bottleDeposit }: { bottleDeposit: number | null }) => bottleDeposit !== null
  const sum = (of: typeof items) => of.reduce((all, { quantity }) => all + quantity, 0)
  const lent = products.flatMap(({ bottle }) => (bottle?.terms === 'exchange' ? [bottle] : []))
  const types = new Map([...lent, ...stops.flatMap(({ bottles }) => bottles)].map((type) => [type.typeId, type]))
  const others = products.filter(({ bottle }) => bottle?.terms !== 'exchange')
  return [
    ...[...types.values()].map(({ typeId, name, nameAr }) => ({
      typeId,
      productId: null,
      name,
      nameAr,
      size: null,
      ordered: sum(items.filter((item) => item.bottleTypeId === typeId && isLent(item))),
      line: van.find((line) => line.typeId === typeId),
    })),
    ...others.map(({ id, name, nameAr, size }) => ({
      typeId: null,
      productId: id,
      name,
      nameAr,
      size,
      ordered: sum(items.filter((item) => item.productId === id && !isLent(item))),
      line: van.find((line) => line.productId === id),
    })),
  ]
}

const keyOf = ({ typeId, productId }: Pick<VanGoods, 'typeId' | 'productId'>) => `${typeId}:${productId}`
const isLoaded = ({ line }: VanGoods) => line !== undefined && line.left !== null
/** Bottles move also where nobody has entered a load. */
const isCarried = (goods: VanGoods) => isLoaded(goods) || (goods.typeId !== null && goods.line !== undefined)

interface VanProps {
  run: Run
  onReport(report: Omit<VanReport, 'kind'>): void
}

/** The morning's load and the evening's count, beside the cash of the day; nothing where no bottle comes back. */
export function Van({ run, onReport }: VanProps) {
  const t = useT()
  const [did, setDid] = useState<VanReport['did'] | null>(null)
  const goods = goodsOf(run)
  if (run.van.length === 0 && !goods.some(({ typeId }) => typeId !== null)) return null
  const shown = goods.filter((one) => isCarried(one) || (one.typeId !== null && one.ordered > 0))
  const canTake = goods.some(({ line }) => line && (line.left ?? 0) > 0)
  const button = (kind: VanReport['did'], className = '') => (
    <Button tone="outline" className={`min-h-13 ${className}`} onClick={() => setDid(kind)}>
      {t(`run.vanDo.${kind}`)}
    </Button>
  )
  return (
    <section aria-label={t('run.van')} className="border-t-8 border-well px-4 pt-3.5 pb-4">
      <h2 className="mb-1 text-body font-strong">{t('run.van')}</h2>
      <ul>
        {shown.map((one) => (
          <Line key={keyOf(one)} goods={one} />
        ))}
      </ul>
      <div className="mt-2 grid grid-cols-2 gap-2">
        {button('loaded')}
        {button('counted')}
        {canTake && button('unloaded', 'col-span-2')}
      </div>
      {did && (
        <VanSheet
          did={did}
          goods={goods}
          onClose={() => setDid(null)}
          onSave={(counts) => {
            onReport({ date: run.date, did, counts })
            setDid(null)
          }}
        />
      )}
    </section>
  )
}

function Name({ of: { name, nameAr, size } }: { of: VanGoods }) {
  const nameIn = useNameIn()
  return (
    <>
      <bdi>{nameIn({ name, nameAr })}</bdi> {size && <Size size={size} />}
    </>
  )
}

function Line({ goods }: { goods: VanGoods }) {
  const t = useT()
  const { line, typeId } = goods
  const { loaded = 0, delivered = 0, returned = 0 } = line ?? {}
  return (
    <li className="py-1">
      <span className="flex items-baseline justify-between gap-3">
        <span>
          <Name of={goods} />
        </span>
        {line && line.left !== null && <b>{t('partly.left', { count: Math.max(0, line.left) })}</b>}
      </span>
      <span className="block text-label text-ink-2">
        {typeId === null ? t('run.vanGoods', { loaded, delivered }) : t('run.vanLine', { loaded, delivered, returned })}
      </span>
      {line && line.difference !== null && (
        <span className={line.difference === 0 ? 'text-label text-ink-2' : 'text-label font-strong text-clay'}>
          {line.difference === 0
            ? t('run.vanRight')
            : t(line.difference < 0 ? 'run.vanMissing' : 'run.vanMore', {
                count: Math.abs(line.difference),
                of: typeId === null ? 'pieces' : 'bottles',
              })}
        </span>
      )}
    </li>
  )
}

interface VanSheetProps {
  did: VanReport['did']
  goods: readonly VanGoods[]
  onClose(): void
  onSave(counts: VanCount[]): void
}

/** Numbers as the orders and reports of the day say, until somebody counts. */
function VanSheet({ did, goods, onClose, onSave }: VanSheetProps) {
  const t = useT()
  const [counts, setCounts] = useState<ReadonlyMap<string, VanCount>>(
    () => new Map(goods.map((one) => [keyOf(one), startOf(did, one)])),
  )
  const isFirst = (one: VanGoods) =>
    isLoaded(one) || (did !== 'unloaded' && one.typeId !== null) || (did === 'loaded' && one.ordered > 0)
  const first = goods.filter(isFirst)
  const others = did === 'loaded' ? goods.filter((one) => !isFirst(one)) : []
  const changed = first.concat(others).flatMap((one) => {
    const count = counts.get(keyOf(one))
    return count && (did === 'counted' || count.full + count.empty > 0) ? [count] : []
  })
  const rows = (list: readonly VanGoods[]) =>
    list.map((one) => (
      <Fields
        key={keyOf(one)}
        goods={one}
        did={did}
        count={counts.get(keyOf(one)) ?? startOf(did, one)}
        onChange={(count) => setCounts(new Map(counts).set(keyOf(one), count))}
      />
    ))
  const title = t(`run.vanDo.${did}`)
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <div className="grid gap-4 p-5">
        {rows(first)}
        {others.length > 0 && (
          <details>
            <summary className="min-h-tap content-center font-strong text-aqua-ink">{t('run.vanOthers')}</summary>
            <div className="grid gap-4 pt-2">{rows(others)}</div>
          </details>
        )}
        <div className="sticky bottom-0 -mx-5 -mb-5 border-t border-line bg-surface px-5 py-3">
          <Button
            tone="aqua"
            size="big"
            className="min-h-15!"
            reason={changed.length === 0 && t('run.vanNone')}
            onClick={() => onSave(changed)}
          >
            {t('run.vanSave')}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}

function startOf(did: VanReport['did'], { typeId, productId, ordered, line }: VanGoods): VanCount {
  const { loaded = 0, unloaded = 0, left = null, empties = 0 } = line ?? {}
  const start = {
    loaded: { full: Math.max(0, ordered - loaded + unloaded), empty: 0 },
    unloaded: { full: 0, empty: 0 },
    counted: { full: Math.max(0, left ?? 0), empty: Math.max(0, empties) },
  }[did]
  return { typeId, productId, ...start }
}

interface FieldsProps {
  goods: VanGoods
  did: VanReport['did']
  count: VanCount
  onChange(count: VanCount): void
}

function Fields({ goods, did, count, onChange }: FieldsProps) {
  const t = useT()
  const nameIn = useNameIn()
  const isBottle = goods.typeId !== null
  const left = Math.max(0, goods.line?.left ?? 0)
  const name = [nameIn(goods), goods.size].filter(Boolean).join(' ')
  const fields = isBottle && did !== 'loaded' ? (['full', 'empty'] as const) : (['full'] as const)
  return (
    <div className="grid grid-cols-2 items-end gap-2">
      <span className="col-span-2 flex items-baseline justify-between gap-3">
        <span className="font-strong">
          <Name of={goods} />
        </span>
        {did === 'loaded' && goods.ordered > 0 && (
          <span className="text-label text-ink-2">{t('run.vanOrdered', { count: goods.ordered })}</span>
        )}
        {did === 'unloaded' && <span className="text-label text-ink-2">{t('partly.left', { count: left })}</span>}
      </span>
      {fields.map((field) => (
        <div key={field} className={fields.length === 1 ? 'col-span-2' : undefined}>
          {isBottle && <span className="mb-1 block text-label">{t(`run.van.${field}`)}</span>}
          <Stepper
            name={isBottle ? `${name} · ${t(`run.van.${field}`)}` : name}
            quantity={count[field]}
            max={did === 'unloaded' && field === 'full' ? left : MOST}
            maxReason={did === 'unloaded' ? t('partly.short', { count: left }) : undefined}
            hasBin={false}
            isCount
            isQuiet
            onChange={(value) => onChange({ ...count, [field]: value })}
            className="w-full [--tap:56px]"
          />
        </div>
      ))}
    </div>
  )
}
