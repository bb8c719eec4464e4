import { randomUUID } from 'node:crypto';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { uuidOf } from './messages.js';

/** ServerFeatures.GetSupportedMethods, as far as the client looks. */
export const supportedMethods = (batch: boolean): SupportedMethods => {
  const supported = new SupportedMethods();
  supported.setEventStoreServerVersion('24.10.6');
  for (const name of ['read', 'append', 'delete', 'tombstone', ...(batch ? ['batchappend'] : [])]) {
    const method = new SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName(name);
    supported.addMethods(method);
  }
  return supported;
};

export type Member = Readonly<{ port: number; leads: boolean; alive: boolean }>;

/** Gossip.Read: the addresses are those under which a member says that clients reach it. */
export const clusterInfo = (members: readonly Member[]): ClusterInfo => {
  const info = new ClusterInfo();
  for (const { port, leads, alive } of members) {
    const endPoint = new EndPoint();
    endPoint.setAddress('127.0.0.1');
    endPoint.setPort(port);
    const member = new MemberInfo();
    member.setInstanceId(uuidOf(randomUUID()));
    member.setTimeStamp('0');
    member.setState(leads ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.FOLLOWER);
    member.setIsAlive(alive);
    member.setHttpEndPoint(endPoint);
    info.addMembers(member);
  }
  return info;
};
