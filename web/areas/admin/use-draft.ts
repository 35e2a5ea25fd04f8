import type { ValidationKey } from '@qatra/contract/lib/fields'
import type { AreaWarning, ManagedArea } from '@qatra/contract/places/areas-admin'
import { warningsOf } from '@qatra/contract/places/coverage'
import type { AreaGeometry } from '@qatra/contract/places/geo'
import { atOnce, outlineProblem } from '@qatra/contract/places/outline'
import { land } from '@qatra/contract/places/places'
import { useEffect, useMemo, useState } from 'react'

/** An edited outline with undo steps and the server's warnings. */
export function useDraft(key: string, stored: AreaGeometry | null, areas: readonly ManagedArea[], id: number) {
  const [steps, setSteps] = useState<readonly (AreaGeometry | null)[]>([])
  const [isEditing, setEditing] = useState(false)
  // Another area was opened: discard the steps.
  // oxlint-disable-next-line react/exhaustive-deps -- the key identifies the area
  useEffect(() => {
    setSteps([])
    setEditing(false)
  }, [key])
  const last = steps.at(-1)
  const geometry = last === undefined ? stored : last
  const found = useMemo(() => {
    if (!geometry) return { problem: null, warnings: [] }
    const problem: { key: ValidationKey } | null = atOnce(outlineProblem(geometry))
    const warnings: AreaWarning[] = problem ? [] : atOnce(warningsOf({ id, geometry }, areas, land))
    return { problem, warnings }
  }, [geometry, areas, id])
  return {
    geometry,
    isEditing,
    isChanged: steps.length > 0,
    problem: found.problem?.key ?? null,
    warnings: found.warnings,
    edit: () => setEditing(true),
    change: (next: AreaGeometry | null) => setSteps((before) => [...before, next]),
    undo: () => setSteps((before) => before.slice(0, -1)),
    reset: () => {
      setSteps([])
      setEditing(false)
    },
  }
}
export type Draft = ReturnType<typeof useDraft>
