import type { FileReading, RepairAct } from '@qatra/contract/lib/upload'
import { useId, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { Button } from '../../Button.tsx'
import { TextField } from '../../Field.tsx'
import { CheckIcon } from '../../icons.tsx'
import type { PlanChoice } from './use-file-import.ts'

type Group = FileReading['problems'][number]

interface RepairsProps {
  reading: FileReading
  rows: number
  /** Rows with a problem. */
  bad: number
  plan: PlanChoice
  agreed: readonly string[]
  agree(field: string, isAgreed: boolean): void
  nameOf(field: string): string | null
  revise(change: Partial<PlanChoice>): Promise<void>
}

/** Rows that the line of a problem names. */
const NAMED = 6

/** What is wrong, by field and kind, with the repairs of all its rows; and what was repaired, with undo. */
export function Repairs({ reading, rows, bad, plan, agreed, agree, nameOf, revise }: RepairsProps) {
  const t = useT()
  const id = useId()
  const { problems, changed, skipped } = reading
  const add = (repair: PlanChoice['repairs'][number]) => void revise({ repairs: [...plan.repairs, repair] })
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-heading">
        {t('import.fix')}
      </h2>
      <p className="text-label text-ink-3">
        {problems.length === 0 && changed.every(({ field }) => agreed.includes(field))
          ? t('import.fix.none')
          : t('import.fix.count', { rows: bad, all: rows })}
      </p>
      <ul>
        {changed.map(({ field, count, value }) => {
          const about = { field: nameOf(field) ?? field, count, value: isolate(value) }
          return agreed.includes(field) ? (
            <DoneLine key={field} onUndo={() => agree(field, false)}>
              {t('import.changed', about)}
            </DoneLine>
          ) : (
            <li key={field} className="grid justify-items-start gap-2 border-b border-line py-2.5">
              <p className="wrap-anywhere">{t('import.changed.ask', about)}</p>
              <Button size="small" onClick={() => agree(field, true)}>
                {t('import.changed.yes')}
              </Button>
            </li>
          )
        })}
        {plan.repairs.map((repair, i) => (
          <DoneLine
            key={`${repair.field} ${repair.problem} ${repair.act} ${repair.value}`}
            onUndo={() => void revise({ repairs: plan.repairs.filter((_, at) => at !== i) })}
          >
            {t('import.repaired.one', {
              field: nameOf(repair.field) ?? t('admin.rows.wholeFile'),
              act:
                repair.act === 'replace'
                  ? t('import.act.replace', { value: isolate(repair.value ?? ''), to: isolate(repair.to ?? '') })
                  : t(actKey(repair.act, repair.problem)),
            })}
          </DoneLine>
        ))}
        {plan.cells.length > 0 && (
          <DoneLine onUndo={() => void revise({ cells: [] })}>
            {t('import.repaired.cells', { count: plan.cells.length })}
          </DoneLine>
        )}
        {skipped > 0 && <DoneLine>{t('import.skipped', { count: skipped })}</DoneLine>}
        {problems.map((group) => (
          <GroupLine
            key={`${group.field} ${group.problem}`}
            group={group}
            name={nameOf(group.field)}
            onRepair={(act) => add({ field: group.field, problem: group.problem, act })}
            onWrite={(texts) => void revise(writtenInto(plan, group, texts))}
          />
        ))}
      </ul>
    </section>
  )
}

const isolate = (text: string) => `\u2068${text}\u2069`

/** Of rows that repeat another one the first stays. */
const actKey = (act: Exclude<RepairAct, 'replace'>, problem: string) =>
  act === 'skip' && /repeated/i.test(problem) ? ('import.act.first' as const) : (`import.act.${act}` as const)

/** Texts by value, or by row where the cells are empty. */
function writtenInto(plan: PlanChoice, group: Group, texts: ReadonlyMap<string | number, string>): Partial<PlanChoice> {
  const { field, problem } = group
  const repairs = [...plan.repairs]
  const cells = [...plan.cells]
  for (const [of, text] of texts) {
    if (typeof of === 'number') cells.push({ row: of, field, value: text })
    else repairs.push({ field, problem, act: 'replace', value: of, to: text })
  }
  return { repairs, cells }
}

function DoneLine({ children, onUndo }: { children: string; onUndo?: () => void }) {
  const t = useT()
  return (
    <li className="flex min-h-11 items-center gap-2 border-b border-line py-1.5 text-label text-ink-2">
      <CheckIcon size={16} aria-hidden="true" className="flex-none text-aqua-ink" />
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      {onUndo && (
        <button
          type="button"
          className="min-h-6 flex-none font-strong text-aqua-ink hover:underline max-md:min-h-tap"
          onClick={onUndo}
        >
          {t('import.repaired.undo')}
        </button>
      )}
    </li>
  )
}

interface GroupLineProps {
  group: Group
  name: string | null
  onRepair(act: Exclude<RepairAct, 'replace'>): void
  onWrite(texts: ReadonlyMap<string | number, string>): void
}

function GroupLine({ group, name, onRepair, onWrite }: GroupLineProps) {
  const t = useT()
  const [texts, setTexts] = useState<ReadonlyMap<string | number, string> | null>(null)
  const { field, problem, reason, count, rows, values, acts } = group
  const named = rows.slice(0, NAMED).join('، ') + (count > NAMED ? '…' : '')
  const mayWrite = field !== 'row' && field !== 'file' && !/repeated|stored|taken|invited/i.test(problem)
  const places = values.length > 0 ? values.map(({ value }) => value) : rows
  const all = [...acts, 'skip' as const].filter((act) => act !== 'replace')
  return (
    <li className="grid gap-2 border-b border-line py-2.5">
      <p className="wrap-anywhere">
        <b className="font-strong">{name ?? t('admin.rows.row')}:</b> {reason}
      </p>
      <p className="text-label text-ink-3">
        {t('import.fix.group', { count, rows: isolate(named) })}
        {values.slice(0, 3).map(({ value, count: times }) => (
          <bdi key={value} className="ms-2 rounded-s bg-clay-soft px-1.5 text-clay">
            {times > 1 ? t('import.fix.values', { value: isolate(value), count: times }) : value}
          </bdi>
        ))}
      </p>
      {texts ? (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            const filled = new Map([...texts].filter(([, text]) => text.trim() !== ''))
            setTexts(null)
            if (filled.size > 0) onWrite(filled)
          }}
        >
          {places.map((place) => (
            <TextField
              key={place}
              label={
                typeof place === 'number'
                  ? t('import.edit.row', { row: place })
                  : t('import.edit.of', { value: isolate(place) })
              }
              dir="auto"
              autoComplete="off"
              value={texts.get(place) ?? ''}
              onChange={({ target }) => setTexts(new Map([...texts, [place, target.value]]))}
            />
          ))}
          <Button type="submit" tone="gulf" size="small" className="justify-self-start">
            {t('import.edit.save')}
          </Button>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          {all.map((act) => (
            <Button key={act} size="small" onClick={() => onRepair(act)}>
              {t(actKey(act, problem))}
            </Button>
          ))}
          {mayWrite && (
            <Button size="small" tone="link" onClick={() => setTexts(new Map())}>
              {t('import.act.edit')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
