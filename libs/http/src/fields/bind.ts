import type { Type } from '@nestjs/common';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import type { FieldError } from '#libs/kernel';
import { pointerTo } from '../json/scan-json.js';
import { fieldsOf, RULE } from './fields.js';
import { fault, isObject } from './rules.js';

/** `fromText`: the values came in a query or a path, where a number is a text of digits. */
export type BindOptions = Readonly<{ at?: string; fromText?: boolean }>;

/**
 * Plain data as an instance of a class of fields, and every fault of it by JSON pointer below `at`: unknown fields,
 * missing ones, wrong ones, in nested objects and lists as well. Each place is named once.
 */
export async function bind<T extends object>(
  type: Type<T>,
  value: unknown,
  { at = '', fromText = false }: BindOptions = {},
): Promise<Readonly<{ instance: T; faults: FieldError[] }>> {
  const faults: FieldError[] = [];
  const instance = instantiate(type, value, at, fromText, faults);
  if (instance === undefined) return { instance: new type(), faults };
  faults.push(...faultsIn(await validate(instance, { forbidUnknownValues: false }), type, at));
  const seen = new Set<string>();
  return { instance, faults: faults.filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer)) };
}

/** Only the faults, for what is checked against a class of fields outside of a body. */
export const faultsOfDto = async (type: Type<object>, value: unknown, at = ''): Promise<FieldError[]> =>
  (await bind(type, value, { at })).faults;

const instantiate = <T extends object>(
  type: Type<T>,
  value: unknown,
  at: string,
  fromText: boolean,
  faults: FieldError[],
): T | undefined => {
  if (!isObject(value)) return void faults.push(...fault(at, 'Must be a JSON object.'));
  const instance = new type() as Record<string, unknown>;
  const fields = fieldsOf(type);
  for (const [name, given] of Object.entries(value)) {
    const pointer = pointerTo([name], at);
    if (!declares(type, name)) {
      faults.push(...fault(pointer, `There is no such field here. There is: ${[...fields.keys()].join(', ') || 'none'}.`));
      continue;
    }
    const { rule, nested } = fields.get(name) ?? {};
    const one = (item: unknown, place: string): unknown => (nested ? (instantiate(nested(), item, place, fromText, faults) ?? item) : item);
    if (nested)
      instance[name] = Array.isArray(given)
        ? given.map((item, index) => one(item, pointerTo([index], pointer)))
        : isObject(given)
          ? one(given, pointer)
          : given;
    else instance[name] = fromText && rule?.fromText ? rule.fromText(given) : given;
  }
  return instance as T;
};

/** By our fields or by decorators of class-validator alone; never by a name that every object inherits. */
const declares = (type: Type, name: string): boolean =>
  fieldsOf(type).has(name) ||
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .some(({ propertyName }) => propertyName === name);

const faultsIn = (errors: readonly ValidationError[], type: Type | undefined, at: string): FieldError[] =>
  errors.flatMap(({ property, value, constraints = {}, children = [] }) => {
    const pointer = pointerTo([property], at);
    const field = type && fieldsOf(type).get(property);
    if (constraints[RULE] !== undefined && field)
      return value === undefined ? fault(pointer, 'This field is required.') : field.rule.faults(value, pointer);
    const { nestedValidation, ...others } = constraints;
    return [
      ...Object.values(others).flatMap((message) => fault(pointer, message)),
      ...(nestedValidation === undefined ? [] : fault(pointer, 'Must be a JSON object.')),
      // The children of a list carry its indexes; those of an object, and of each item, are fields of the nested class.
      ...(Array.isArray(value)
        ? children.flatMap((item) => faultsOfItem(item, field?.nested?.(), pointer))
        : faultsIn(children, field?.nested?.(), pointer)),
    ];
  });

const faultsOfItem = ({ property, constraints, children = [] }: ValidationError, type: Type | undefined, at: string): FieldError[] => {
  const pointer = pointerTo([property], at);
  return constraints ? fault(pointer, 'Must be a JSON object.') : faultsIn(children, type, pointer);
};
