import type { ReactNode } from 'react'
import { useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { localStore } from '../../../lib/site-data.ts'
import { CheckMenu } from '../CheckMenu.tsx'
import { ColumnsIcon } from '../icons.ts'
import { toolbarButtonClass } from '../ToolbarButton.tsx'

export interface Column<Row> {
  key: string
  title: string
  cell(row: Row): ReactNode
  /** `end` for figures. */
  align?: 'end'
  /** px; the columns without one share what is left. */
  width?: number
  /** px that a column without a width needs at least. */
  least?: number
  /** Shown from this width of the screen on; the card of a phone shows what it likes. */
  from?: 'lg' | 'desk' | 'xl'
  /** If the table is too narrow, the column with the highest number is hidden first. */
  yields?: number
  /** Its key may be sorted by. */
  sortable?: boolean
  /** Sorted from its first letter at the first press, where numbers and times begin with the largest. */
  isText?: boolean
  /** Always shown: it is not among the choices. */
  fixed?: boolean
  hiddenAtFirst?: boolean
}

export interface ColumnChoice<Row> {
  shown: readonly Column<Row>[]
  all: readonly Column<Row>[]
  toggle(key: string): void
}

function readHidden(key: string): readonly string[] | null {
  const stored = localStore.readJson(key)
  return Array.isArray(stored) ? stored.map(String) : null
}

/** Which columns a person wants to see, kept in this browser for each person and table. */
export function useColumns<Row>(name: string, all: readonly Column<Row>[]): ColumnChoice<Row> {
  const key = `columns.${useUser()?.id ?? 0}.${name}`
  const [hidden, setHidden] = useState(
    () => readHidden(key) ?? all.filter(({ hiddenAtFirst }) => hiddenAtFirst).map((column) => column.key),
  )
  return {
    all,
    shown: all.filter((column) => column.fixed || !hidden.includes(column.key)),
    toggle(column) {
      const next = hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column]
      setHidden(next)
      localStore.setItem(key, JSON.stringify(next))
    },
  }
}

/** The tool that chooses them. */
export function ColumnMenu<Row>({ all, shown, toggle }: ColumnChoice<Row>) {
  const t = useT()
  return (
    <CheckMenu
      label={t('admin.columns')}
      trigger={
        <button type="button" className={toolbarButtonClass(false, 'max-md:hidden')}>
          <ColumnsIcon size={16} aria-hidden="true" className="text-ink-3" />
          {t('admin.columns')}
        </button>
      }
      multiple
      options={all.filter(({ fixed }) => !fixed).map(({ key, title }) => ({ value: key, label: title }))}
      values={shown.map(({ key }) => key)}
      onToggle={toggle}
    />
  )
}
