import type { Silhouette } from '@qatra/contract/products/sizes'
import { Bottle } from './Bottle.tsx'
import { Wave } from './Wave.tsx'

/** Bottles in a wave at the bottom of a short page (sign-in, links). */
export function SeaFoot({ shapes, tint }: { shapes: readonly Silhouette[]; tint?: string | null }) {
  return (
    <div aria-hidden="true" className="relative mt-auto h-47.5 w-full overflow-hidden">
      <div className="absolute inset-x-2.5 bottom-1.5 mx-auto flex max-w-110 justify-between opacity-90">
        {shapes.map((shape, at) => (
          <Bottle key={`${shape} ${at}`} shape={shape} tint={tint} height={146} />
        ))}
      </div>
      <Wave height={64} deep />
    </div>
  )
}
