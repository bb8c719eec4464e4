import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import './problems.js';
import { RecordsQuery } from './read-models/records.js';
import { RecordHandler } from './record.handler.js';
import { RecordsController } from './records.controller.js';

@Module({ imports: [CqrsModule], controllers: [RecordsController], providers: [RecordHandler, RecordsQuery], exports: [RecordsQuery] })
export class RecordsModule {}
