import { listAreas } from '@qatra/contract/places/areas'
import { type AnsweringRule, MOST_RULES, ruleSubjects } from '@qatra/contract/whatsapp/inbox/settings'
import { listAnswerers, listLabels } from '@qatra/contract/whatsapp/inbox/work'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../../app/names.ts'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { SelectField } from '../../../ui/admin/form/fields.tsx'
import { AscendingIcon, PeopleIcon } from '../../../ui/admin/icons.ts'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CloseIcon, PlusIcon } from '../../../ui/icons.tsx'
import { useVendorNames } from '../../../users/admin/person-cache.ts'

interface RulesFieldProps {
  value: readonly AnsweringRule[]
  error: string | undefined
  onChange(rules: AnsweringRule[]): void
}

/** Who answers whom: the first rule that fits decides. */
export function RulesField({ value, error, onChange }: RulesFieldProps) {
  const t = useT()
  const change = (at: number, more: Partial<AnsweringRule>) =>
    onChange(value.map((rule, n) => (n === at ? { ...rule, ...more } : rule)))
  const moveUp = (at: number) =>
    onChange(value.map((rule, n) => (n === at - 1 ? value[at] : n === at ? value[at - 1] : rule) ?? rule))
  return (
    <div className="grid gap-3">
      {value.length === 0 && <p className="text-ink-3">{t('inboxSettings.rules.none')}</p>}
      <ol aria-label={t('inboxSettings.rules')} className="grid gap-3">
        {value.map((rule, at) => (
          <li
            // A rule has no identity but its place.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={at}
            className="flex flex-wrap items-end gap-2 rounded-m bg-well p-3"
          >
            <SelectField
              label={t('inboxSettings.rule.by')}
              className="w-44 max-md:w-full"
              value={rule.by}
              onChange={(by) => by && change(at, { by, ids: [], labels: [] })}
              options={ruleSubjects.map((by) => ({ value: by, label: t(`inboxSettings.rule.by.${by}`) }))}
            />
            <div className="flex min-h-12 flex-wrap items-center gap-2">
              <Subjects rule={rule} onChange={(more) => change(at, more)} />
              <span className="text-ink-2">{t('inboxSettings.rule.to')}</span>
              <People value={rule.people} onChange={(people) => change(at, { people: [...people] })} />
            </div>
            <span className="ms-auto flex min-h-12 items-center">
              {at > 0 && (
                <button
                  type="button"
                  aria-label={t('inboxSettings.rule.up')}
                  className={square}
                  onClick={() => moveUp(at)}
                >
                  <AscendingIcon size={18} aria-hidden="true" />
                </button>
              )}
              <button
                type="button"
                aria-label={t('inboxSettings.rule.remove')}
                className={square}
                onClick={() => onChange(value.filter((_, n) => n !== at))}
              >
                <CloseIcon size={18} aria-hidden="true" />
              </button>
            </span>
          </li>
        ))}
      </ol>
      {error && (
        <p role="alert" data-invalid tabIndex={-1} className="text-clay">
          {t('inboxSettings.rules.error')}
        </p>
      )}
      {value.length < MOST_RULES && (
        <div>
          <Button
            size="small"
            icon={PlusIcon}
            onClick={() => onChange([...value, { by: 'all', ids: [], labels: [], people: [] }])}
          >
            {t('inboxSettings.rule.add')}
          </Button>
        </div>
      )}
    </div>
  )
}

const square = 'grid size-9 place-items-center rounded-s text-ink-2 hover:bg-well-2 hover:text-ink max-md:size-tap'

interface SubjectsProps {
  rule: AnsweringRule
  onChange(more: Partial<AnsweringRule>): void
}

/** The vendors, areas or labels of a rule. */
function Subjects({ rule: { by, ids, labels }, onChange }: SubjectsProps) {
  const t = useT()
  const nameIn = useNameIn()
  const { options: vendors } = useVendorNames()
  const { data: areas } = useQuery({ ...read(listAreas), enabled: by === 'area' })
  const { data: known } = useQuery({ ...read(listLabels), enabled: by === 'label' })
  if (by === 'all') return null
  if (by === 'label') {
    const all = [...new Set([...labels, ...(known ?? []).map(({ label }) => label)])]
    return (
      <ChoiceFilter
        label={t('inboxSettings.rule.labels')}
        multiple
        values={labels}
        options={all.map((label) => ({ value: label, label }))}
        onChange={(chosen) => onChange({ labels: [...chosen] })}
      />
    )
  }
  return (
    <ChoiceFilter
      label={t(by === 'vendor' ? 'inboxSettings.rule.vendors' : 'inboxSettings.rule.areas')}
      multiple
      values={ids}
      options={by === 'vendor' ? vendors : (areas ?? []).map((area) => ({ value: area.id, label: nameIn(area) }))}
      onChange={(chosen) => onChange({ ids: [...chosen] })}
    />
  )
}

function People({ value, onChange }: { value: readonly number[]; onChange(people: readonly number[]): void }) {
  const t = useT()
  const { data: people } = useQuery(read(listAnswerers, { query: {} }))
  return (
    <ChoiceFilter
      label={t('inboxSettings.rule.people')}
      icon={PeopleIcon}
      multiple
      values={value}
      options={(people ?? []).map(({ id, name, openCount }) => ({
        value: id,
        label: name ?? `#${id}`,
        count: openCount,
      }))}
      onChange={onChange}
    />
  )
}
