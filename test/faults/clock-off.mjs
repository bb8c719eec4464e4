// The real server on a machine whose clock is WORKBENCH_CLOCK_OFF_MS ahead (or behind, where it is negative).
const off = Number(process.env.WORKBENCH_CLOCK_OFF_MS);
const Real = Date;
globalThis.Date = new Proxy(Real, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [Real.now() + off] : args, self),
  apply: () => new Real(Real.now() + off).toString(),
  get: (target, name) => (name === 'now' ? () => Real.now() + off : Reflect.get(target, name)),
});
await import('../../dist/apps/server/src/main.js');
